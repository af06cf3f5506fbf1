import { texts } from '../parts/texts.ts';

/** How money that was not accepted gets back to whoever paid it. */
export const wayBack = texts({
  en: {
    ASKED: 'Waits for a second person',
    TO_SEND: 'To be sent back',
    SENDING: 'The provider was told to send it back',
    BY_HAND: 'To be sent back by a person',
    SENT: 'Sent back',
    RELEASED: 'Given back to the balance',
  },
  zh: {
    ASKED: '等待第二人批准',
    TO_SEND: '待退回',
    SENDING: '已通知支付渠道退回',
    BY_HAND: '待人工退回',
    SENT: '已退回',
    RELEASED: '已退回余额',
  },
});
