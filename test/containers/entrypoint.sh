#!/bin/bash
# Environment variables with a dot in their name become settings, as in the official image. They
# are read from the process, since bash does not know variables of such names.
set -eu
settings=()
while IFS='=' read -r -d '' name value; do
  if [[ $name =~ ^[a-z0-9_]+\.[a-z0-9_.]+$ ]]; then settings+=("-E$name=$value"); fi
done < "/proc/$$/environ"
exec bin/elasticsearch "${settings[@]}"
