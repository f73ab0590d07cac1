// Validates values with the validators of both TypeScript SDKs, which check formats:
//   node validate.mjs FILE
// The file has one line {"schema": {...}, "value": ...} for each; prints one line for each that a validator refuses.
import { readFileSync } from 'node:fs';
import { AjvJsonSchemaValidator as Second } from '@modelcontextprotocol/client/validators/ajv';
import { AjvJsonSchemaValidator as First } from '@modelcontextprotocol/sdk/validation/ajv';

for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  const { schema, value } = JSON.parse(line);
  for (const validator of [new First(), new Second()]) {
    const { valid, errorMessage } = validator.getValidator(schema)(value);
    if (!valid) {
      console.log(`${line}: ${errorMessage}`);
    }
  }
}
console.log('done');
