/** Returns the content policy of the service, extended by images of the origin of the page's logo. */
export function withImagesOf(logoUrl: string | null, policy: string | undefined): string | undefined {
  return logoUrl === null
    ? policy
    : policy?.replace(/img-src [^;]*/, (images) => `${images} ${new URL(logoUrl).origin}`);
}
