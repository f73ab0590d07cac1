# Sourced by the scripts of this project. `find_jdk 21` sets jdk_home to the first JDK of that
# version or newer: $JAVA_HOME, then the newest in the folders of Linux (/usr/lib/jvm), macOS
# (/Library/Java/JavaVirtualMachines, Homebrew) and SDKMAN!, then the `java` on the path.
# shellcheck shell=bash disable=SC2034

# Sets jdk_major to the major version of the JDK in folder $1, or to 0 if there is none.
jdk_version() {
  local line
  jdk_major=0
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      JAVA_VERSION=*)
        line=${line#*=}
        line=${line//\"/}
        line=${line#1.}
        line=${line%%[!0-9]*}
        jdk_major=${line:-0}
        ;;
    esac
  done <"$1/release"
}

# The start of the folders that are searched; only tests set it.
jdk_root=

find_jdk() {
  local wanted=$1 best=0 home java
  jdk_home=
  if [ -n "${JAVA_HOME:-}" ]; then
    jdk_version "$JAVA_HOME"
    if [ "$jdk_major" -ge "$wanted" ]; then
      jdk_home=$JAVA_HOME
      return 0
    fi
  fi
  for home in "$jdk_root"/usr/lib/jvm/* \
    "$jdk_root"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$jdk_root${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$jdk_root"/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "$jdk_root"/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "$jdk_root${HOME:-}"/.sdkman/candidates/java/*; do
    jdk_version "$home"
    if [ "$jdk_major" -ge "$wanted" ] && [ "$jdk_major" -gt "$best" ]; then
      best=$jdk_major
      jdk_home=$home
    fi
  done
  [ -z "$jdk_home" ] || return 0
  if java=$(command -v java); then
    while [ -L "$java" ]; do
      home=$(readlink "$java")
      case $home in
        /*) java=$home ;;
        *) java=$(dirname "$java")/$home ;;
      esac
    done
    home=${java%/bin/java}
    jdk_version "$home"
    [ "$jdk_major" -lt "$wanted" ] || jdk_home=$home
  fi
  [ -n "$jdk_home" ]
}

no_jdk_message() {
  printf '%s: no JDK %s or newer found: set JAVA_HOME, or install one under /usr/lib/jvm or /Library/Java/JavaVirtualMachines (CONTRIBUTING.md says more)\n' "$1" "$2" >&2
}
