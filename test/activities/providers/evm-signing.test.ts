import { addressOfKey, signTransfer } from '../../../activities/providers/evm-signing.ts';
import { readTransfer } from '../../../dev/sandboxes/raw-transaction.ts';

/** Byte for byte what viem 2.45.0 signs of the same payments. */
const KEY = '4c'.repeat(32);
const CONTRACT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const CALL = `94${CONTRACT.slice(2)}80b844a9059cbb${'00'.repeat(12)}`;

it.each([
  [
    { nonce: 0, units: 95_000_000n, to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    `0x02f8b101808459682f008506fc23ac0083017cdc${CALL}70997970c51812dc3a010c7d01b50e0d17dc79c80000000000000000000000000000000000000000000000000000000005a995c0c001a08b9e9fa343808441502ab9b81699adfcfeb7527f65ab375b6c7d2c7ddce413c0a03210301d1d5757a5346cf45d7f8d15fe8efbe0dcda36c7d9308258c9346e530f`,
  ],
  [
    { nonce: 300, units: 1n, to: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
    `0x02f8b30182012c8459682f008506fc23ac0083017cdc${CALL}f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000000001c001a0874139b99f67ba4b0f4087655d68b999cc0d1ec7d51652f9aad7fdd0dc0d5d30a06c69dcec55c7d4b00fab21e9155ed8f0a782f3b931b702b198453673fd20c045`,
  ],
  [
    { nonce: 7, units: 123_456_789_012_345n, to: '0x000000000000000000000000000000000000bEEF' },
    `0x02f8b101078459682f008506fc23ac0083017cdc${CALL}000000000000000000000000000000000000beef00000000000000000000000000000000000000000000000000007048860ddf79c001a044f6f10f58fda840d84c0380ad09810105723bf471bea0cb88fa1b2c10a949c1a019b58387af7c19486c148f16028c286dae20f431f92c50d9f4056fa7e27a2d14`,
  ],
])('%j · signed · the bytes that others sign, of the key’s own address', (payment, bytes) => {
  const fees = { chainId: 1, tipWei: 1_500_000_000n, feeWeiMax: 30_000_000_000n, gas: 97_500n };
  const signed = signTransfer({ ...fees, contract: CONTRACT, ...payment }, KEY);
  expect(signed.bytes).toBe(bytes);
  expect(addressOfKey(KEY)).toBe('0xdB00079cad3e665853Bf766eFe26F4C38cdbdCDA');
  expect(readTransfer(signed.bytes)).toEqual({
    hash: signed.hash,
    from: addressOfKey(KEY).toLowerCase(),
    chainId: 1,
    nonce: payment.nonce,
    tipWei: 1_500_000_000n,
    feeWeiMax: 30_000_000_000n,
    contract: CONTRACT,
    to: payment.to.toLowerCase(),
    value: payment.units,
  });
});
