/** The document as pages that can be tried: swagger-ui-dist's bundle, which index.html loads first. */
declare const SwaggerUIBundle: (options: object) => unknown;

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tagsSorter: 'alpha',
  persistAuthorization: false,
  // Would be fetched from another host.
  validatorUrl: null,
});
