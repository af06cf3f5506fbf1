import { type Answer, type Asked, type Desk, HONEST, type Trade, yuan } from './desk.ts';

interface Wallet {
  name: string;
  desk: Desk;
  tellAbout(trade: Trade): Promise<number[]>;
}

/** What a tester may do on the page of an order: what is paid, and what the wallet does wrong about it. */
const WAYS: Readonly<
  Record<string, { label: string; behaviour?: Partial<Desk['behaviour']>; fen?: bigint }>
> = {
  pay: { label: 'Pay' },
  quiet: { label: 'Pay, and tell nobody', behaviour: { notice: 'none' } },
  ten: { label: 'Pay, and tell ten times', behaviour: { copies: 10 } },
  late: { label: 'Pay, and tell ten seconds later', behaviour: { delayMs: 10_000 } },
  forged: { label: 'Pay, and tell with a forged signature', behaviour: { notice: 'forged' } },
  less: { label: 'Pay 1.00 less', fen: -100n },
  more: { label: 'Pay 1.00 more', fen: 100n },
};

/** GET and POST /pay/<wallet>/<order>: a phone's part, in a browser. */
export function payPage(wallets: Readonly<Record<string, Wallet>>) {
  return async ({ method, url, body }: Asked): Promise<Answer> => {
    const [, , walletName = '', orderNo = ''] = url.pathname.split('/');
    const wallet = wallets[walletName];
    const trade = wallet?.desk.trades.get(orderNo);
    if (wallet === undefined || trade === undefined) {
      return { status: 404, type: 'text/html; charset=utf-8', body: pageOf('No such order', '') };
    }
    if (method === 'POST') await act(wallet, trade, new URLSearchParams(body).get('way') ?? '');
    return { status: 200, type: 'text/html; charset=utf-8', body: shown(wallet, trade) };
  };
}

async function act(wallet: Wallet, trade: Trade, name: string): Promise<void> {
  const way = WAYS[name];
  if (way === undefined) return;
  const { desk } = wallet;
  desk.behave(way.behaviour ?? HONEST);
  if (!desk.pay(trade.orderNo, trade.total + (way.fen ?? 0n))) return;
  const { delayMs } = desk.behaviour;
  if (delayMs === 0) await wallet.tellAbout(trade);
  else setTimeout(() => void wallet.tellAbout(trade), delayMs).unref();
}

function shown({ name }: Wallet, trade: Trade): string {
  const facts = `<dl><dt>Order</dt><dd>${escaped(trade.orderNo)}</dd>
<dt>For</dt><dd>${escaped(trade.title)}</dd>
<dt>To pay</dt><dd>${yuan(trade.total)} ${escaped(trade.currency)}</dd>
<dt>State</dt><dd id="state">${trade.state}</dd></dl>`;
  const buttons = Object.entries(WAYS).map(
    ([way, { label }]) => `<button name="way" value="${way}">${label}</button>`,
  );
  const form = trade.state === 'WAITING' ? `<form method="post">${buttons.join('\n')}</form>` : '';
  return pageOf(`${name} sandbox`, `${facts}${form}`);
}

/** A chain, as a payer's wallet uses it. */
interface TokenChain {
  head(): number;
  isAddress(text: string): boolean;
  send(to: string, value: bigint): void;
  /** Of a token that has the same name. */
  sendFake(to: string, value: bigint): void;
  takeBack(blocks: number): void;
}

/** GET and POST <prefix>/<address>/<millionths>: a payer's wallet, in a browser. */
export function tokenPage(chain: TokenChain) {
  return ({ method, url, body }: Asked): Answer => {
    const [address = '', amount = '0'] = url.pathname.split('/').slice(-2);
    if (!chain.isAddress(address) || !/^\d{1,15}$/.test(amount)) {
      return { status: 404, type: 'text/html; charset=utf-8', body: pageOf('No address', '') };
    }
    const value = BigInt(amount);
    const way = method === 'POST' ? (new URLSearchParams(body).get('way') ?? '') : '';
    if (way === 'pay') chain.send(address, value);
    if (way === 'less') chain.send(address, value - 1_000_000n);
    if (way === 'fake') chain.sendFake(address, value);
    if (way === 'reorganise') chain.takeBack(3);
    const buttons = [
      ['pay', 'Send'],
      ['less', 'Send 1.00 less'],
      ['fake', 'Send a token of the same name'],
      ['reorganise', 'Take the last three blocks back'],
    ].map(([name, label]) => `<button name="way" value="${name}">${label}</button>`);
    const facts = `<dl><dt>To</dt><dd>${escaped(address)}</dd>
<dt>Amount</dt><dd>${Number(value) / 1e6} USDT</dd><dt>Block</dt><dd id="state">${chain.head()}</dd></dl>`;
    const content = `${facts}<form method="post">${buttons.join('\n')}</form>`;
    return {
      status: 200,
      type: 'text/html; charset=utf-8',
      body: pageOf('Token sandbox', content),
    };
  };
}

const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:16px/1.5 system-ui;max-width:28rem;margin:3rem auto;padding:0 1rem}
dt{color:#555}dd{margin:0 0 .5rem;font-weight:600}button{display:block;width:100%;margin:.4rem 0;padding:.7rem;font:inherit}</style>
<h1>${title}</h1><p>No money moves here: this page stands for the payer’s phone.</p>${content}</html>`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
