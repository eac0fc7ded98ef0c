# Installs a version of Node.js and npm as npm packages, which depend on nothing that this machine has, and prints their
# node_modules folder.
install_node() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/parley-ci/node-$1 unfinished
  if [ ! -e "$folder" ]; then
    mkdir -p "$(dirname "$folder")"
    unfinished=$(mktemp -d "$folder.XXXXXX")
    npm install --prefix "$unfinished" --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error \
      "node-linux-$(node -p process.arch)@$1" "npm@$(npm --version)" >&2 || return
    mv -T "$unfinished" "$folder" 2>/dev/null || rm -rf "$unfinished"
  fi
  echo "$folder/node_modules"
}
