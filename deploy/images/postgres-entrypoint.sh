#!/bin/sh
# Replaces the entry point of the public image of PostgreSQL, as far as chart and compose need it.
set -e
PGDATA=/var/lib/postgresql/18/docker
export PGDATA
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres "$PGDATA" /var/run/postgresql
  export POSTGRES_PASSWORD="${POSTGRES_PASSWORD:-$(cat "$POSTGRES_PASSWORD_FILE")}"
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 0700 "$PGDATA"
  (umask 077; echo "${POSTGRES_PASSWORD:-$(cat "$POSTGRES_PASSWORD_FILE")}" > /tmp/password)
  initdb --username=postgres --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust --encoding=UTF8 --locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec postgres "$@" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
