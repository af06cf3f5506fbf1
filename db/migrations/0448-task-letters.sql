-- An operator who lives at the desk wants no letter of each task that a colleague gives them: the bell has it anyway
-- (interface 5.9).
ALTER TABLE operators ADD COLUMN task_letters boolean NOT NULL DEFAULT true;
