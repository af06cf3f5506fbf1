import express from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressServer } from '../../api/http/express-server.ts';

/**
 * The yardsticks: the same bytes from bare node:http, from stock Express and from Express with the
 * prototypes set beforehand. Run as `bare-server.ts node|express|tuned bytes`; prints its port.
 */
const [kind = 'node', bytes = '43'] = process.argv.slice(2);
const body = Buffer.alloc(Number(bytes), 'x');

function expressApp() {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_req, res) => {
    res.type('application/octet-stream').send(body);
  });
  return app;
}

const server =
  kind === 'node'
    ? createServer((_req, res) => {
        res.writeHead(200, {
          'Content-Type': 'application/octet-stream',
          'Content-Length': body.length,
        });
        res.end(body);
      })
    : kind === 'express'
      ? createServer(expressApp())
      : createExpressServer(expressApp());
server.listen(0, '127.0.0.1', () => {
  console.log(`PORT ${(server.address() as AddressInfo).port}`);
});
