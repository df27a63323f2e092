#!/bin/sh
# What the proof of psqlODBC's settings needs, from Debian: the driver, pyodbc, and a server of PostgreSQL 15.
set -eu
apt-get update -qq
apt-get install -y -qq --no-install-recommends odbc-postgresql unixodbc python3-pyodbc postgresql-15
