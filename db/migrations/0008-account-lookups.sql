-- What an operator sees beside an account: its ledger accounts and its open tasks.
CREATE INDEX ledger_accounts_owner ON ledger_accounts (owner_type, owner_id);
CREATE INDEX tasks_account ON tasks (account_id) WHERE status = 'open';
