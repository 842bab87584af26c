-- Id of the folder at the dashboard, for registrations that find the backend settled by another one; 0 at Perses.
alter table backend add column folder_id bigint not null default 0;
