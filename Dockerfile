# One image for the API, the worker and the migrations; the command chooses (docker-compose.yml).
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Migrations are SQL files that are read at run time.
COPY --from=build /app/db/migrations ./db/migrations
RUN mkdir -p /data/media /data/spool && chown -R node:node /data
ENV MEDIA_DIR=/data/media SPOOL_DIR=/data/spool PRIVATE_DIR=/data/private EXPORT_DIR=/data/exports MAIL_DIR=/data/mail HOST=0.0.0.0
USER node
VOLUME /data
EXPOSE 8080 8081
# More room for what dies young, and helping threads for the other cores (dev/services/platform-processes.ts tells why).
ENV NODE_OPTIONS="--max-semi-space-size=32 --v8-pool-size=0"
# This one is no word for NODE_OPTIONS.
CMD ["node", "--no-parallel-scavenge", "dist/api/main.js"]
