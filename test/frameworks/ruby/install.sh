#!/bin/sh
# What the proof of the Ruby pages needs, from Debian: the real ActiveRecord and Sequel, and a server of PostgreSQL 15.
set -eu
apt-get update -qq
apt-get install -y -qq --no-install-recommends ruby ruby-activerecord ruby-pg ruby-sequel postgresql-15

# A newer ActiveRecord, of the next Debian: nothing of it is installed, its packages are unpacked where the proof looks.
here=$PWD/build/rails
mkdir -p "$here/lists/partial" "$here/cache/archives/partial" "$here/packages"
echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main' > "$here/sources.list"
: > "$here/status"
next() {
  apt-get -qq -o Dir::Etc::SourceList="$here/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$here/lists" \
    -o Dir::Cache="$here/cache" -o Dir::State::status="$here/status" "$@"
}
next update
cd "$here/packages"
next download ruby-activerecord ruby-activemodel ruby-activesupport ruby-concurrent ruby-connection-pool ruby-i18n \
  ruby-tzinfo ruby-base64
for package in *.deb; do dpkg -x "$package" "$here/root"; done
rm -rf "$here/gems"
mv "$here/root/usr/share/rubygems-integration/all/gems" "$here/gems"
