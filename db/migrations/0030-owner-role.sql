-- The owner of an account is its ADMIN (interface 2.2); nobody else has a word here.
ALTER TABLE accounts ALTER COLUMN role SET DEFAULT 'ADMIN';
UPDATE accounts SET role = 'ADMIN' WHERE role <> 'ADMIN';
