#!/bin/sh
# What the proof of settings needs, from Debian: DBIx::Class, Doctrine, Laravel's database part, and a server with its psql.
set -eu
apt-get update -qq
apt-get install -y -qq --no-install-recommends libdbix-class-perl libdbd-pg-perl \
  php-cli php-pgsql php-doctrine-dbal php-illuminate-database postgresql-15
