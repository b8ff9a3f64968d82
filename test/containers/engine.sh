# Sourced by run.sh: starts a separate Docker engine, and builds images in place of official ones.
# Needs WORK, a folder that is kept between runs, so that images are built once.

export DOCKER_HOST="unix://$WORK/docker.sock"
# Debian's engine has only the classic builder.
export DOCKER_BUILDKIT=0

start_docker() {
  mkdir -p "$WORK"
  dockerd --host "$DOCKER_HOST" --data-root "$WORK/data" --exec-root "$WORK/exec" \
    --pidfile "$WORK/dockerd.pid" > "$WORK/dockerd.log" 2>&1 &
  dockerd_pid=$!
  for _ in $(seq 300); do
    docker info > /dev/null 2>&1 && return
    kill -0 "$dockerd_pid" 2> /dev/null || break
    sleep 0.1
  done
  tail -5 "$WORK/dockerd.log" >&2
  echo "dockerd does not start: see $WORK/dockerd.log" >&2
  return 1
}

# Also removes the containers and volumes of the tests.
stop_docker() {
  docker ps --all --quiet | xargs --no-run-if-empty docker rm --force > /dev/null 2>&1 || true
  docker volume prune --force > /dev/null 2>&1 || true
  kill "$dockerd_pid" 2> /dev/null || return 0
  wait "$dockerd_pid" || true
}

has_image() { docker image inspect "$1" > /dev/null 2>&1; }

build_debian() {
  has_image aisle-debian && return
  local root="$WORK/debian"
  rm -rf "$root"
  debootstrap --variant=minbase --include=ca-certificates,curl bookworm "$root" > "$WORK/debootstrap.log"
  tar --directory "$root" --create . | docker import - aisle-debian > /dev/null
  rm -rf "$root"
}

build_elasticsearch() {
  local context="$WORK/elasticsearch" version
  version=$(find engine/pom.xml engine/src -type f | sort | xargs cat | sha256sum | cut -c 1-12)
  if has_image "aisle-elasticsearch:$version"; then
    docker tag "aisle-elasticsearch:$version" aisle-elasticsearch
    return
  fi
  rm -rf "$context"
  mkdir -p "$context"
  mvn --batch-mode --quiet --file engine/pom.xml -Dengine.build="$WORK/target" \
    -Dengine.home="$WORK/engine" package
  cp -rL "$JAVA_HOME" "$context/jdk"
  cp -r "$WORK"/engine/elasticsearch-* "$context/elasticsearch"
  cp test/containers/entrypoint.sh "$context/"
  docker build --quiet --tag aisle-elasticsearch --tag "aisle-elasticsearch:$version" \
    --file test/containers/elasticsearch.Dockerfile "$context" > /dev/null
  rm -rf "$context" "$WORK/target" "$WORK/engine"
}

build_node() {
  has_image aisle-node && return
  local context="$WORK/node"
  rm -rf "$context"
  mkdir -p "$context"
  cp "$(node_modules/.bin/node -p process.execPath)" "$context/node"
  cp -r "$(dirname "$(dirname "$(realpath "$(command -v npm)")")")" "$context/npm"
  cp /etc/ssl/certs/ca-certificates.crt "$context/"
  docker build --quiet --tag aisle-node --file test/containers/node.Dockerfile "$context" > /dev/null
  rm -rf "$context"
}

build_aisle() {
  docker build --quiet --tag aisle --build-arg NODE_IMAGE=aisle-node . > /dev/null
}
