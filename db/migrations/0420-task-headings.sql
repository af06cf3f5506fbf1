-- What a task's title says, apart from its English words. Tasks that are open already keep these alone.
ALTER TABLE tasks ADD COLUMN heading jsonb;
