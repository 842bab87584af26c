-- What is read of events beside usage has a place of its own, so that nothing but their full text is in raw events.

-- The latest SiteInfo of a licence (open-points 8.2). It stays when the raw event goes: a cluster that never changes
-- repeats the one that it sent first.
create table site_info (
  owner_id bigint not null,
  cluster_uid uuid not null,
  licence_id text not null,
  -- Latest time of the event or a repeat.
  seen_at timestamptz not null,
  resource jsonb not null,
  primary key (owner_id, cluster_uid, licence_id)
);
insert into site_info (owner_id, cluster_uid, licence_id, seen_at, resource)
select distinct on (object.owner_id, object.cluster_uid, version.licence_id)
       object.owner_id, object.cluster_uid, version.licence_id, upper(version.seen) - interval '2 hours', raw.resource
  from reported_object object
  join object_version version on version.object_id = object.id
  join raw_event raw on raw.object_id = version.object_id and raw.version = version.version
 where object.resource = 'siteinfos' and raw.resource ->> 'kind' = 'SiteInfo'
 order by object.owner_id, object.cluster_uid, version.licence_id, upper(version.seen) desc;

-- `spec.uid` of an event that is not metered, where it has one.
alter table object_version add column spec_uid text;
update object_version version
   set spec_uid = raw.resource #>> '{spec,uid}'
  from raw_event raw
 where version.metered_id is null and raw.object_id = version.object_id and raw.version = version.version
   and raw.resource #>> '{spec,uid}' is not null;
