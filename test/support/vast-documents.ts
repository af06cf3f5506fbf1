import type { RequestListener } from 'node:http';

/** VAST documents as other ad servers answer them. */
export const wrapperTo = (address: string): string =>
  `<VAST version="4.2"><Ad><Wrapper><AdSystem>x</AdSystem><Impression><![CDATA[http://films.example/impression]]></Impression>
    <Error><![CDATA[http://films.example/error]]></Error><VASTAdTagURI><![CDATA[${address}]]></VASTAdTagURI></Wrapper></Ad></VAST>`;

export const inlineOf = (
  film: string,
  { type = 'video/mp4' }: { type?: 'video/mp4' | 'video/webm' } = {},
): string =>
  `<VAST version="4.2"><Ad><InLine><AdSystem>x</AdSystem><Impression><![CDATA[http://films.example/impression]]></Impression>
    <Creatives><Creative><Linear><Duration>00:00:15</Duration>
    <TrackingEvents><Tracking event="start"><![CDATA[http://films.example/start]]></Tracking></TrackingEvents>
    <MediaFiles><MediaFile delivery="progressive" type="${type}" width="640" height="360" bitrate="500"><![CDATA[${film}]]></MediaFile></MediaFiles>
    </Linear></Creative></Creatives></InLine></Ad></VAST>`;

export const NO_AD = '<VAST version="4.2"/>';

/** Answers with this document. */
export const documentOf =
  (body: string, type = 'application/xml; charset=utf-8'): RequestListener =>
  (_req, res) =>
    void res.writeHead(200, { 'content-type': type }).end(body);
