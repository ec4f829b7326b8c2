# Shared by the scripts: the toolchain, system packages, the build folder and how the program is built. To be sourced by bash.

# The build folder is outside the checkout, so that a new checkout can reuse it.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/qiju/target}"

say() { printf '== %s\n' "$*" >&2; }
fail() { printf 'qiju: %s\n' "$*" >&2; exit 1; }

need_cargo() {
    command -v cargo >/dev/null || PATH="${CARGO_HOME:-${HOME:-}/.cargo}/bin:$PATH"
    command -v cargo >/dev/null || fail "no Rust toolchain found. Install one with
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh
and run this script again from a new shell."
}

# Builds the program with its window. The dependencies are built once, in the same folder and with the same settings as for the tests; our own packages are
# built without the debug checks, and the core is fully optimised. `$program` is its path.
build_program() {
    program="$CARGO_TARGET_DIR/debug/qiju"
    local own=() package setting
    for package in qiju qiju-core; do
        for setting in overflow-checks=false debug-assertions=false codegen-units=16; do own+=(--config "profile.dev.package.$package.$setting"); done
    done
    cargo build --locked --bin qiju "${own[@]}" --config 'profile.dev.package.qiju-core.opt-level=3' --config 'profile.dev.incremental=false' "$@" >&2
}

# Packages of Debian and Ubuntu: for building (linker, ALSA headers), for the window and Vulkan, and for the tests.
build_packages="gcc libc6-dev pkg-config libasound2-dev"
window_packages="libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 libvulkan1 mesa-vulkan-drivers"
test_packages="xvfb xdotool imagemagick dbus-daemon at-spi2-core"

# Installs the missing packages. On systems other than Debian and Ubuntu it only prints a warning.
need_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "qiju: this is not a Debian system; please install the equivalents of these packages yourself: $*" >&2
        return 0
    fi
    local package missing=()
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    say "Installing system packages: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "these packages are missing and there is no sudo; as root, run
    apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    # Standard output is reserved for the program that is started.
    {
        "${as_root[@]}" apt-get update -q || true
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
    } >&2 || fail "the packages could not be installed; to do it by hand, run
    apt-get install ${missing[*]}"
}

# Sets `compiler`, the arguments with which cargo builds for a target: none with rustup's compiler, which gets the target, or with one that has its
# standard library. Otherwise Debian's compiler builds that library from its source.
find_compiler() {
    compiler=()
    if command -v rustup >/dev/null; then
        rustup target list --installed | grep -qx "$1" || { say "Installing the target $1" && rustup target add "$1" >&2; }
        return
    fi
    local libraries
    libraries=$(rustc --print target-libdir --target "$1" 2>/dev/null || true)
    ! compgen -G "$libraries/libstd-*.rlib" >/dev/null || return 0
    need_packages rustc-web cargo-web rust-web-src
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    compiler=(-Zbuild-std=std,panic_abort)
}

# Puts the licences of the assets into a folder.
put_licences() {
    install -D -m 644 assets/README.md "$1/assets.md"
    install -D -m 644 crates/core/assets/README.md "$1/assets-core.md"
    install -m 644 crates/core/assets/fonts/OFL-*.txt crates/core/assets/pieces/LICENSE-*.md "$1/"
}

# Starts a virtual screen and names it in DISPLAY. `screen` is its process, which the caller ends.
start_screen() {
    local number
    exec {number}<> <(:)
    Xvfb -displayfd "$number" -screen 0 1280x800x24 -nolisten tcp -noreset >/dev/null 2>&1 &
    screen=$!
    read -r -t 20 -u "$number" DISPLAY || fail "the virtual screen does not start"
    export DISPLAY=":$DISPLAY"
}

# Node.js with npm, for the tools of the page. Another Node.js than Debian's brings its own npm, beside which Debian's cannot be installed.
need_node() {
    command -v node >/dev/null && command -v npm >/dev/null || need_packages nodejs npm
}

# Puts the tests of the page, with what they need, into the folder $page_tests.
need_page_tests() {
    need_node
    page_tests="$CARGO_TARGET_DIR/web-test"
    mkdir -p "$page_tests"
    cp tests/web/package.json tests/web/package-lock.json tests/web/*.mjs "$page_tests/"
    [ -d "$page_tests/node_modules/puppeteer-core" ] || (cd "$page_tests" && npm ci --no-audit --no-fund >&2)
}
