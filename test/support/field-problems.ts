import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';

/**
 * Returns the validation errors of a probe's fields, each as `pointer code` like in the API, with the constraint's name
 * if it has no code.
 */
export function problemsOf(type: new () => object, fields: object): string[] {
  const walk = (errors: ValidationError[], above: string): string[] => {
    return errors.flatMap((error) => {
      const pointer = `${above}/${error.property}`;
      const own = Object.keys(error.constraints ?? {}).map((name) => {
        const context = error.contexts?.[name] as { code?: string } | undefined;
        return `${pointer} ${context?.code ?? name}`;
      });
      return [...own, ...walk(error.children ?? [], pointer)];
    });
  };
  return walk(validateSync(plainToInstance(type, fields), { whitelist: true, forbidNonWhitelisted: true }), '');
}
