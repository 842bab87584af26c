# The next version of a service, with an additional migration and an addition to the model.
ARG OF
FROM ${OF} AS plain

FROM plain AS migrations
COPY next-version.sql apps/orgs-teams/migrations/20991231235959-next-version.sql

FROM plain AS model
COPY platform.fga apps/authz/model/platform.fga

FROM migrations AS both
COPY platform.fga apps/authz/model/platform.fga
