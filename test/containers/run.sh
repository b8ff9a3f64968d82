#!/bin/bash
# Tests what runs in containers on a separate Docker engine, without an image registry:
#   test/containers/run.sh [compose] [provider] [suite]      (all three by default)
# docs/testing.md lists what it needs. Stops the engine at the end, and keeps its images.
set -euo pipefail
cd "$(dirname "$0")/../.."

WORK=${WORK:-/var/tmp/aisle-containers}
. test/containers/engine.sh
. test/containers/proofs.sh

need() {
  command -v "$1" > /dev/null || { echo "$1 is missing: $2" >&2; exit 1; }
}
need dockerd 'apt-get install docker.io'
need docker 'apt-get install docker.io'
need debootstrap 'apt-get install debootstrap'
need mvn 'apt-get install maven'
docker compose version > /dev/null 2>&1 || {
  echo 'docker compose is missing: install the Compose plugin, version 2' >&2
  exit 1
}
[ -x node_modules/.bin/node ] || { echo 'node_modules is missing: npm ci' >&2; exit 1; }
export PATH="$PWD/node_modules/.bin:$PATH"
JAVA_HOME=$(node test/containers/jdk.ts)
export JAVA_HOME

took() { # took WHAT COMMAND...: runs it and says how long that was
  local what=$1 start=$SECONDS
  shift
  "$@"
  echo "== $what: $((SECONDS - start)) s"
}

start_docker
trap stop_docker EXIT
took 'Debian image' build_debian
took 'Elasticsearch image' build_elasticsearch
took 'Node image' build_node
took 'Aisle image' build_aisle

for proof in "${@:-compose provider suite}"; do
  for name in $proof; do took "proof of $name" "prove_$name"; done
done
echo '== all proofs passed'
