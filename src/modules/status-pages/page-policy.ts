/** The strict policy of the service, and images of the one origin that the page's logo comes from. */
export function withImagesOf(logoUrl: string | null, policy: string | undefined): string | undefined {
  return logoUrl === null
    ? policy
    : policy?.replace(/img-src [^;]*/, (images) => `${images} ${new URL(logoUrl).origin}`);
}
