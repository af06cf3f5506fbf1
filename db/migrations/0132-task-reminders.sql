-- When nobody decided by half of its time, and by all of it. An escalated task is the administrators' as well.
ALTER TABLE tasks ADD COLUMN reminded_at timestamptz, ADD COLUMN escalated_at timestamptz;
