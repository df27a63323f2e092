#!/bin/sh
# Gems that Debian has not, for the proof of their pages: nothing is installed, they are unpacked into build/gems.
set -eu
here=$PWD/build/gems
[ ! -d "$here" ] || exit 0
rm -rf "$here.new"
mkdir -p "$here.new"
cd "$here.new"
# The newest that run with the Ruby of Debian 12.
for gem in aasm:5.5.0 statesman:12.1.0 flipper:1.3.4 flipper-active_record:1.3.4 ruby_event_store:2.15.0 \
  ruby_event_store-active_record:2.15.0 state_machines:0.6.0 state_machines-activemodel:0.9.0 \
  state_machines-activerecord:0.9.0; do
  gem fetch --quiet "${gem%:*}" --version "${gem#*:}"
  gem unpack --quiet "${gem%:*}-${gem#*:}.gem"
done
rm -f ./*.gem
mv "$here.new" "$here"
