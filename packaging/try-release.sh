#!/bin/sh
# Unpacks a release into an empty folder, starts it, makes an account by the owner's link, uploads a file with curl and
# downloads it again, and updates it to the next version. Prints how long each step took.  sh packaging/try-release.sh ARCHIVE [PORT]
set -eu
archive=$(realpath "$1")
port=${2:-3999}
place=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$place"' EXIT
began=$(date +%s%N)
step() { echo "$(( ($(date +%s%N) - began) / 1000000 )) ms: $1"; }

mkdir "$place/holdfast"
tar -xzf "$archive" -C "$place/holdfast" --strip-components=1
step unpacked
cd "$place/holdfast"
export PORT="$port" CAPTCHA=none PUBLIC_URL="http://localhost:$port" DATA_DIR="$place/data"
./holdfast start >start.log 2>&1 &
server=$!
until curl -fsS "$PUBLIC_URL/api/v3/session/server-info" >/dev/null 2>&1; do
  kill -0 "$server" || { cat start.log; exit 1; }
done
step 'first answer'
curl -fsS "$PUBLIC_URL/" | grep -q '<title>'
curl -fsS "$PUBLIC_URL/licenses.txt" | grep -q '^react '
until grep -q invitation= start.log; do :; done
invitation=$(sed -n 's/.*#invitation=//p' start.log)
post() { curl -fsS -b cookies -c cookies -H 'Content-Type: application/json' -d "$2" "$PUBLIC_URL/api/v3/session/$1"; }
password=Correct-Horse-7
post create-account "{\"email\":\"ada@example.com\",\"password\":\"$password\",\"password2\":\"$password\",\"invitation\":\"$invitation\"}"
echo
step 'account by the owner link'
key=$(curl -fsS -b cookies "$PUBLIC_URL/api/v3/rest/get-account-info" | sed 's/.*"api_key":"\([^"]*\)".*/\1/')
head -c 5000000 /dev/urandom >sent.bin
link=$(curl -fsS -H "X-API-Key: $key" -F file=@sent.bin "$PUBLIC_URL/api/v3/upload" | sed 's/.*"url":"\([^"]*\)".*/\1/')
step "upload of 5 MB: $link"
curl -fsS -o received.bin "$link"
cmp sent.bin received.bin
step 'download with the same bytes'
version=$(./holdfast --version)
test "$version" = "$(sed -n 's/.*"version": "\(.*\)".*/\1/p' package.json)"
kill "$server"
wait "$server"
step 'stopped with status 0'

# The next version differs by its number alone.
next=${version%.*}.$((${version##*.} + 1))
mkdir "$place/next"
tar -xzf "$archive" -C "$place/next"
sed -i "s/\"version\": \"$version\"/\"version\": \"$next\"/" "$place"/next/*/package.json
(cd "$place/next" && tar -czf ../next.tar.gz -- * && cd .. && sha256sum next.tar.gz >SHA256SUMS)
step "made an archive of $next"
./holdfast update "$place/next.tar.gz" --backup "$place/backups"
test "$("$place/holdfast/holdfast" --version)" = "$next"
step "updated to $next"
