import { texts } from '../parts/texts.ts';

/** How a server of an owner's answered a call of ours, or why there was no answer. */
export const serverAnswer = texts({
  en: {
    http: (status: string) => `HTTP ${status}`,
    refusals: {
      BAD_ADDRESS: 'No address that we call',
      PRIVATE_ADDRESS: 'The address is private',
      DNS_NXDOMAIN: 'No server has this name',
      DNS_FAILED: 'The name could not be looked up',
      CONNECTION_FAILED: 'Could not be reached',
      TLS_FAILED: 'Its certificate is not valid',
      TIMEOUT: 'No answer in time',
      TOO_MANY_REDIRECTS: 'Sent on too many times',
      REDIRECT_OFF_DOMAIN: 'Sent on to another domain',
      TOO_LARGE: 'The answer is too large',
      ENDPOINT_NOT_ACTIVE: 'Not called: it is not active',
    },
  },
  zh: {
    http: (status) => `HTTP ${status}`,
    refusals: {
      BAD_ADDRESS: '此地址不可调用',
      PRIVATE_ADDRESS: '此地址为内网地址',
      DNS_NXDOMAIN: '没有使用此名称的服务器',
      DNS_FAILED: '无法查询此名称',
      CONNECTION_FAILED: '无法连接',
      TLS_FAILED: '证书无效',
      TIMEOUT: '未在限时内应答',
      TOO_MANY_REDIRECTS: '重定向次数过多',
      REDIRECT_OFF_DOMAIN: '重定向到其他域名',
      TOO_LARGE: '应答过大',
      ENDPOINT_NOT_ACTIVE: '未调用：未启用',
    },
  },
});
