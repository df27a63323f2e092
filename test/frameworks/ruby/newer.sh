#!/bin/sh
# The ActiveRecord of Debian 13, for the proof of the Ruby pages: nothing is installed, its packages are unpacked into build/rails.
set -eu
here=$PWD/build/rails
[ ! -d "$here/gems" ] || exit 0
# From where this machine has its own packages.
mirror=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian|Debian|//p' | head -1)
rm -rf "$here"
mkdir -p "$here/lists/partial" "$here/cache/archives/partial" "$here/packages"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$here/sources.list"
: > "$here/status"
next() {
  apt-get -qq -o Dir::Etc::SourceList="$here/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$here/lists" \
    -o Dir::Cache="$here/cache" -o Dir::State::status="$here/status" -o APT::Sandbox::User=root "$@"
}
next update
cd "$here/packages"
next download ruby-activerecord ruby-activemodel ruby-activesupport ruby-concurrent ruby-connection-pool ruby-i18n \
  ruby-tzinfo ruby-base64
for package in *.deb; do dpkg -x "$package" "$here/unpacked"; done
mv "$here/unpacked/usr/share/rubygems-integration/all/gems" "$here/gems"
rm -rf "$here/packages" "$here/cache" "$here/lists" "$here/unpacked"
