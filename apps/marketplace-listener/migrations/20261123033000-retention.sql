-- Reported buckets are deleted by age (open-points 13.3).
create index usage_bucket_settled on usage_bucket (closed_at) where state <> 'waiting';
