/** A set of numbers for many additions and few lookups: the numbers are hashed at the first lookup. */
export class KeySet {
  private readonly added: number[] = [];
  private hashed: Set<number> | null = null;

  add(key: number): void {
    this.added.push(key);
    this.hashed?.add(key);
  }

  addAll(other: KeySet): void {
    for (const key of other.added) this.add(key);
  }

  has(key: number): boolean {
    this.hashed ??= new Set(this.added);
    return this.hashed.has(key);
  }
}
