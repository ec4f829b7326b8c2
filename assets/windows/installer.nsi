; The installer for Windows: for one user, without the rights of an administrator. `scripts/windows` gives VERSION, FOLDER (what is installed), ICON, SIDE (a picture) and OUT.
; The player's data lie elsewhere and are never touched.
Target amd64-unicode
SetCompressor /SOLID lzma
!include MUI2.nsh
!include FileFunc.nsh

Name "Qiju"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Qiju"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Qiju"
InstallDirRegKey HKCU "${KEY}" InstallLocation
ManifestDPIAware true
VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=0 ProductName "Qiju"
VIAddVersionKey /LANG=0 FileDescription "Qiju"
VIAddVersionKey /LANG=0 FileVersion "${VERSION}"
VIAddVersionKey /LANG=0 LegalCopyright "MIT or Apache 2.0"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${SIDE}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\Qiju.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
; The system's language is taken; the first where it is none of these.
!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE SimpChinese
!insertmacro MUI_LANGUAGE TradChinese
!insertmacro MUI_LANGUAGE Japanese
!insertmacro MUI_LANGUAGE Korean
!insertmacro MUI_LANGUAGE Vietnamese
!insertmacro MUI_LANGUAGE Russian

Section
    SetOutPath "$INSTDIR"
    File /r "${FOLDER}/*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\Qiju.lnk" "$INSTDIR\Qiju.exe"
    WriteRegStr HKCU "${KEY}" DisplayName "Qiju"
    WriteRegStr HKCU "${KEY}" DisplayVersion "${VERSION}"
    WriteRegStr HKCU "${KEY}" DisplayIcon "$INSTDIR\Qiju.exe"
    WriteRegStr HKCU "${KEY}" InstallLocation "$INSTDIR"
    WriteRegStr HKCU "${KEY}" UninstallString '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${KEY}" NoModify 1
    WriteRegDWORD HKCU "${KEY}" NoRepair 1
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    WriteRegDWORD HKCU "${KEY}" EstimatedSize $0
SectionEnd

; Only what was installed, also where the user chose a folder with other files.
Section Uninstall
    ; A folder in which the uninstaller stands could not be removed.
    SetOutPath "$TEMP"
    Delete "$INSTDIR\bin\qiju.exe"
    Delete "$INSTDIR\licences\OFL-*.txt"
    Delete "$INSTDIR\licences\*.md"
    Delete "$INSTDIR\LICENSE-*"
    Delete "$INSTDIR\README.md"
    Delete "$INSTDIR\Qiju.exe"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR\bin"
    RMDir "$INSTDIR\licences"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\Qiju.lnk"
    DeleteRegKey HKCU "${KEY}"
SectionEnd
