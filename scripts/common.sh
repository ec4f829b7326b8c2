# What the scripts share: the toolchain, the system's packages, the build folder, how the program is built. Sourced, with bash.

# Where everything is built: outside the checkout, so that a fresh copy of it starts warm.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/qiju/target}"

say() { printf '== %s\n' "$*" >&2; }
fail() { printf 'qiju: %s\n' "$*" >&2; exit 1; }

need_cargo() {
    command -v cargo >/dev/null || PATH="${CARGO_HOME:-${HOME:-}/.cargo}/bin:$PATH"
    command -v cargo >/dev/null || fail "there is no Rust toolchain here. Install one with
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh
and start this again from a new shell."
}

# Builds the program with its window, as it is played here: what it stands on is what the tests use, built once in the same folder; our own code is
# optimised fully and without the checks of the tests. `$program` is where it is.
build_program() {
    program="$CARGO_TARGET_DIR/debug/qiju"
    cargo build --locked --bin qiju --config 'profile.dev.package.qiju.opt-level=3' --config 'profile.dev.package.qiju.overflow-checks=false' \
        --config 'profile.dev.package.qiju.debug-assertions=false' "$@" >&2
}

# Packages of Debian and Ubuntu: to build (the compiler's linker, ALSA's headers), to open a window, to draw with Vulkan.
build_packages="gcc libc6-dev pkg-config libasound2-dev"
window_packages="libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 libvulkan1 mesa-vulkan-drivers"
test_packages="xvfb xdotool imagemagick"

# Installs those of the named packages that are missing. Quick where none is; elsewhere than on Debian it only warns.
need_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "qiju: this is no Debian system; what these packages hold must be there already: $*" >&2
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
    # Standard output belongs to the program that is started.
    {
        "${as_root[@]}" apt-get update -q || true
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
    } >&2 || fail "the packages could not be installed; by hand it is
    apt-get install ${missing[*]}"
}
