-- Tokens come on more than one chain. Orders of builds before are Ethereum's; a build before writes none.
ALTER TABLE deposit_payments
  ADD COLUMN network text CHECK (network IN ('ERC20', 'TRC20')),
  ADD CONSTRAINT deposit_payments_network_of_token CHECK (network IS NULL OR pay_currency = 'USDT');
UPDATE deposit_payments SET network = 'ERC20' WHERE pay_currency = 'USDT';

-- Addresses are found as their chain writes them, checksum included: letters of TRON's differ by their case.
DROP INDEX deposit_payments_address;
