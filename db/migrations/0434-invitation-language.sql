-- Who is invited has no preferences yet: letters to them are in the language that whoever invites them said
-- (interface 5.7). Of invitations from before, in that of the account's owner.
ALTER TABLE members ADD COLUMN language text CHECK (language IN ('en', 'zh'));
