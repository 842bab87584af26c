# The next version of a service, with a migration and a model that add something.
ARG OF
FROM ${OF} AS plain

FROM plain AS migrations
COPY next-version.sql apps/orgs-teams/migrations/20991231235959-next-version.sql

FROM plain AS model
COPY platform.fga apps/authz/model/platform.fga

FROM migrations AS both
COPY platform.fga apps/authz/model/platform.fga
