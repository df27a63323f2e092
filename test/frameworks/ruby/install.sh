#!/bin/sh
# What the proof of the Ruby pages needs, from Debian: the real ActiveRecord and Sequel, and a server of PostgreSQL 15.
set -eu
apt-get update -qq
apt-get install -y -qq --no-install-recommends ruby ruby-activerecord ruby-pg ruby-sequel postgresql-15
sh "$(dirname "$0")/newer.sh"
sh "$(dirname "$0")/gems.sh"
