# Installs a version of Node.js and npm as npm packages, which depend on nothing that this machine has, and prints their
# node_modules folder.
install_node() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/parley-ci/node-$1 unfinished status=0
  if [ ! -e "$folder" ]; then
    mkdir -p "$(dirname "$folder")"
    unfinished=$(mktemp -d "$folder.XXXXXX")
    npm install --prefix "$unfinished" --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error \
      "node-linux-$(node -p process.arch)@$1" "npm@$(npm --version)" >&2 &&
      mv -T "$unfinished" "$folder" || status=$?
    rm -rf "$unfinished"
    # Another run may have moved its own there first.
    [ -e "$folder" ] || return "$status"
  fi
  echo "$folder/node_modules"
}
