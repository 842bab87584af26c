# Images of PostgreSQL, NATS and OpenFGA for the chart, from the pinned programs. The build context contains the
# programs, as `postgres/`, `nats-server` and `openfga`, and postgres-entrypoint.sh.
ARG BASE

# Trees whose files have a fixed time, as in Dockerfile, so that the same programs make the same layers.
FROM ${BASE} AS trees
ARG SOURCE_DATE_EPOCH=0
COPY . /context
# Of Debian's client programs, copy only pg_isready, which the probes call. It uses the libraries of the server.
RUN mkdir -p /tmp/client && cd /tmp/client && apt-get update && apt-get download postgresql-client-15 \
 && dpkg-deb --extract postgresql-client-15_*.deb . \
 && mkdir -p /trees/postgres/etc /trees/postgres/opt /trees/postgres/usr/local/bin /trees/nats /trees/openfga \
 && cp usr/lib/postgresql/15/bin/pg_isready /trees/postgres/usr/local/bin/ \
 && cp -a /context/postgres /trees/postgres/opt/ && ldconfig -n /trees/postgres/opt/postgres/lib \
 && ln -s /opt/postgres/bin/postgres /opt/postgres/bin/initdb /trees/postgres/usr/local/bin/ \
 && install -m 755 /context/postgres-entrypoint.sh /trees/postgres/usr/local/bin/docker-entrypoint.sh \
 && cp /etc/passwd /etc/group /trees/postgres/etc/ \
 && echo 'postgres:x:999:999::/var/lib/postgresql:/usr/sbin/nologin' >> /trees/postgres/etc/passwd \
 && echo 'postgres:x:999:' >> /trees/postgres/etc/group \
 && install -m 755 /context/nats-server /trees/nats/ && install -m 755 /context/openfga /trees/openfga/ \
 && find /trees -exec touch --no-dereference --date "@${SOURCE_DATE_EPOCH}" {} +

FROM ${BASE} AS postgres
COPY --from=trees /trees/postgres /
ENV LD_LIBRARY_PATH=/opt/postgres/lib
ENTRYPOINT ["docker-entrypoint.sh"]

# The chart's probe calls a shell, wget, df and awk, which are in the base.
FROM ${BASE} AS nats
COPY --from=trees /trees/nats /
ENTRYPOINT ["/nats-server"]

FROM scratch AS openfga
COPY --from=trees /trees/openfga /
ENTRYPOINT ["/openfga"]
