import { countrySpecs, isValidBIC, isValidIBAN } from 'ibantools';
import { COUNTRIES } from '../../domain/countries.ts';
import { type FieldError, invalid } from '../../domain/errors.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import type { TokenNetwork } from '../../domain/deposit-terms.ts';
import { checksummed } from '../providers/evm-address.ts';
import { hexOfTron } from '../providers/tron-address.ts';

/** interface 4.12: a bank account as its owner gives it; absent parts are null. */
export interface BankAccount {
  accountHolder: string;
  accountType: 'PERSONAL' | 'BUSINESS';
  country: string;
  currency: string;
  bankName: string | null;
  branchName: string | null;
  iban: string | null;
  accountNumber: string | null;
  swiftBic: string | null;
  routingNumber: string | null;
  sortCode: string | null;
  cnapsCode: string | null;
}

/** Where a payout goes. Lies sealed in the database. */
export type Destination =
  | { channel: 'BANK'; account: BankAccount }
  | { channel: 'USDT'; network: TokenNetwork; address: string }
  | { channel: 'PAYPAL' | 'PAXUM'; email: string };

/** As they are called on the wire; its faults name them so. */
type BankAccountField =
  | 'account_holder'
  | 'account_type'
  | 'country'
  | 'currency'
  | 'bank_name'
  | 'branch_name'
  | 'iban'
  | 'account_number'
  | 'swift_bic'
  | 'routing_number'
  | 'sort_code'
  | 'cnaps_code';
export type BankAccountFields = Partial<Record<BankAccountField, string | null | undefined>>;

/**
 * A bank account whose numbers fit its country, spaces and case apart. Raises validation_failed with
 * every fault, each field named behind `prefix`.
 */
export function readBankAccount(fields: BankAccountFields, prefix = ''): BankAccount {
  const account = accountOf(fields);
  const errors = accountFaults(account, prefix);
  if (errors.length > 0) throw invalid(...errors);
  return account;
}

/** The same faults of a body that nobody has checked: what is no text is named by its own field alone. */
export function bankAccountFaults(
  fields: Readonly<Record<string, unknown>>,
  prefix = '',
): FieldError[] {
  const isText = (value: unknown): boolean => (value ?? '') === '' || typeof value === 'string';
  if (!Object.values(fields).every(isText)) return [];
  return accountFaults(accountOf(fields as BankAccountFields), prefix);
}

const accountFaults = (account: BankAccount, prefix: string): FieldError[] =>
  [...holderFaults(account), ...numberFaults(account)].map((error) => ({
    ...error,
    field: `${prefix}${error.field}`,
  }));

const accountOf = (fields: BankAccountFields): BankAccount => ({
  accountHolder: fields.account_holder?.trim() ?? '',
  accountType: fields.account_type === 'BUSINESS' ? 'BUSINESS' : 'PERSONAL',
  country: compact(fields.country) ?? '',
  currency: compact(fields.currency) ?? '',
  bankName: textOrNull(fields.bank_name),
  branchName: textOrNull(fields.branch_name),
  iban: compact(fields.iban),
  accountNumber: compact(fields.account_number),
  swiftBic: compact(fields.swift_bic),
  routingNumber: compact(fields.routing_number),
  sortCode: compact(fields.sort_code),
  cnapsCode: compact(fields.cnaps_code),
});

/** As people write it: groups apart by spaces or hyphens, either case. */
const compact = (value: string | null | undefined): string | null =>
  textOrNull(value?.replace(/[\s-]/g, '').toUpperCase());

const textOrNull = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value.trim() === '' ? null : value.trim();

const fault = (field: string, code: string, message: string): FieldError => ({
  field,
  code,
  message,
});

function holderFaults(account: BankAccount): FieldError[] {
  return [
    ...(/\p{L}/u.test(account.accountHolder)
      ? []
      : [fault('account_holder', 'required', 'the name on the account is required')]),
    ...(COUNTRIES.has(account.country)
      ? []
      : [fault('country', 'format', 'must be an ISO 3166 country code')]),
    ...(/^[A-Z]{3}$/.test(account.currency)
      ? []
      : [fault('currency', 'format', 'must be an ISO 4217 currency code')]),
  ];
}

function numberFaults(account: BankAccount): FieldError[] {
  const { iban, accountNumber, swiftBic, country } = account;
  const faults: FieldError[] = [];
  if (swiftBic !== null && !isValidBIC(swiftBic)) {
    faults.push(fault('swift_bic', 'format', 'must be a BIC of 8 or 11 characters'));
  }
  if (iban !== null && accountNumber !== null) {
    faults.push(
      fault('account_number', 'exclusive', 'give an IBAN or an account number, not both'),
    );
  } else if (iban !== null) {
    if (!isValidIBAN(iban)) faults.push(fault('iban', 'format', 'is not a valid IBAN'));
    else if (COUNTRIES.has(country) && !iban.startsWith(country)) {
      faults.push(fault('iban', 'country', `is not of the country ${country}`));
    }
  } else if (usesIbanOnly(country)) {
    faults.push(fault('iban', 'required', `accounts in ${country} are named by their IBAN`));
  } else if (accountNumber === null) {
    faults.push(fault('account_number', 'required', 'an IBAN or an account number is required'));
  } else {
    faults.push(...localFaults(account, accountNumber));
  }
  return faults;
}

/** Countries whose banks take nothing else; the United Kingdom's take both. */
const usesIbanOnly = (country: string): boolean =>
  country !== 'GB' && countrySpecs[country]?.IBANRegistry === true;

/** What a domestic account number needs beside it, and how the two look. */
function localFaults(account: BankAccount, accountNumber: string): FieldError[] {
  const digits = (length: string, message: string): FieldError[] =>
    new RegExp(`^\\d{${length}}$`).test(accountNumber)
      ? []
      : [fault('account_number', 'format', message)];
  switch (account.country) {
    case 'US':
      return [
        ...digits('4,17', 'must have 4 to 17 digits'),
        ...(isRoutingNumber(account.routingNumber)
          ? []
          : [
              fault(
                'routing_number',
                'format',
                'must be an ABA number: 9 digits, of which the last checks the others',
              ),
            ]),
      ];
    case 'GB':
      return [
        ...digits('8', 'must have 8 digits'),
        ...(/^\d{6}$/.test(account.sortCode ?? '')
          ? []
          : [fault('sort_code', 'format', 'must have 6 digits')]),
      ];
    case 'CN':
      return [
        ...digits('8,30', 'must have 8 to 30 digits'),
        ...(/^\d{12}$/.test(account.cnapsCode ?? '')
          ? []
          : [fault('cnaps_code', 'format', 'must have 12 digits')]),
      ];
    default:
      return [
        ...(/^[A-Z0-9]{4,34}$/.test(accountNumber)
          ? []
          : [fault('account_number', 'format', 'must have 4 to 34 letters or digits')]),
        ...(account.swiftBic === null
          ? [fault('swift_bic', 'required', 'is required with an account number')]
          : []),
      ];
  }
}

/** ABA check digit: weights 3, 7, 1, sum divisible by ten. */
function isRoutingNumber(text: string | null): boolean {
  if (text === null || !/^\d{9}$/.test(text) || /^0+$/.test(text)) return false;
  const sum = Array.from(text).reduce(
    (total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}

/**
 * `account_info` of the channels that are not banks (interface 2.10): an e-mail address, or a USDT
 * address whose form shows the network and whose checksum holds; what is none is told which this
 * platform pays on. Raises validation_failed.
 */
export function readDestination(
  channel: Exclude<PayoutChannel, 'BANK'>,
  accountInfo: string | null,
  networks: readonly TokenNetwork[],
): Destination {
  const text = accountInfo?.trim() ?? '';
  if (text === '') throw invalid(fault('account_info', 'required', `is required for ${channel}`));
  if (channel !== 'USDT') {
    if (!EMAIL.test(text) || text.length > 254) {
      throw invalid(fault('account_info', 'format', 'must be the e-mail address of the account'));
    }
    return { channel, email: text.toLowerCase() };
  }
  const network = usdtNetwork(text);
  if (network === null) {
    const message = networks.includes('TRC20')
      ? 'must be an ERC20 or TRC20 address with a valid checksum'
      : 'must be an ERC20 address with a valid checksum';
    throw invalid(fault('account_info', 'format', message));
  }
  return { channel, network, address: text };
}

const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.[A-Za-z]{2,63}$/;

/**
 * An address in one case carries no checksum, so a slip of the hand would pay a stranger: only the
 * mixed form of EIP-55 is taken.
 */
function usdtNetwork(address: string): TokenNetwork | null {
  if (/^0x[0-9a-fA-F]{40}$/.test(address)) return address === checksummed(address) ? 'ERC20' : null;
  return hexOfTron(address) === null ? null : 'TRC20';
}

/** The same account has the same text, however it was typed. Input of the blind index. */
export function canonicalDestination(destination: Destination): string {
  switch (destination.channel) {
    case 'BANK': {
      const { iban, accountNumber, country, swiftBic, routingNumber, sortCode, cnapsCode } =
        destination.account;
      return iban === null
        ? JSON.stringify([
            country,
            accountNumber,
            routingNumber ?? sortCode ?? cnapsCode ?? swiftBic,
          ])
        : iban;
    }
    case 'USDT':
      return `${destination.network}:${destination.address}`;
    case 'PAYPAL':
    case 'PAXUM':
      return `${destination.channel}:${destination.email}`;
  }
}

export const lastFour = (text: string): string => text.slice(-4);

/** Enough to be recognised by its owner, of no use to anybody else. */
export function maskDestination(destination: Destination): string {
  switch (destination.channel) {
    case 'BANK': {
      const { iban, accountNumber } = destination.account;
      const country = iban === null ? '' : iban.slice(0, 4);
      return `${country}****${lastFour(iban ?? accountNumber ?? '')}`;
    }
    case 'USDT':
      return `${destination.network} ${destination.address.slice(0, 6)}****${lastFour(destination.address)}`;
    case 'PAYPAL':
    case 'PAXUM': {
      const [local = '', host = ''] = destination.email.split('@');
      return `${local.slice(0, 1)}***@${host}`;
    }
  }
}

/** `Ada Lovelace` as `A** L*******`. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => {
      const [first = '', ...rest] = Array.from(part);
      return `${first}${'*'.repeat(Math.min(8, rest.length))}`;
    })
    .join(' ');
