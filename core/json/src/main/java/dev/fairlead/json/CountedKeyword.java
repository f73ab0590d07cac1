package dev.fairlead.json;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * A keyword of the library whose work grows with the schema or the value, where the library counts
 * one step: the work is counted before it is done.
 */
final class CountedKeyword implements Keyword {
    private static final Set<String> COUNTED =
            Set.of(
                    "properties",
                    "required",
                    "dependentRequired",
                    "dependentSchemas",
                    "patternProperties",
                    "additionalProperties",
                    "unevaluatedProperties",
                    "enum",
                    "minLength",
                    "maxLength",
                    "contentEncoding",
                    "contentMediaType");

    /** Characters that are counted or decoded in the time of one lookup. */
    private static final int CHARACTERS = 64;

    private final Keyword keyword;

    private CountedKeyword(Keyword keyword) {
        this.keyword = keyword;
    }

    /** Returns the keywords of a dialect that count. */
    static List<Keyword> of(Dialect dialect) {
        return dialect.getKeywords().values().stream()
                .filter(keyword -> COUNTED.contains(keyword.getValue()))
                .<Keyword>map(CountedKeyword::new)
                .toList();
    }

    @Override
    public String getValue() {
        return keyword.getValue();
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation location, JsonNode value, Schema schema, SchemaContext context)
            throws Exception {
        return new Counted(
                keyword.newValidator(location, value, schema, context), work(getValue(), value));
    }

    /** Returns the work of a keyword for a value, in lookups. */
    private static ToLongFunction<JsonNode> work(String keyword, JsonNode schema) {
        long size = SchemaTree.size(schema);
        return switch (keyword) {
            case "properties", "required" -> value -> value.isObject() ? schema.size() : 0;
            case "dependentRequired" -> value -> value.isObject() ? value.size() + size : 0;
            case "enum" ->
                    value ->
                            value.isContainer()
                                    ? size + Validation.LOOKUPS_PER_STEP * SchemaTree.size(value)
                                    : 0;
            case "minLength", "maxLength", "contentEncoding", "contentMediaType" ->
                    value -> value.isString() ? value.stringValue().length() / CHARACTERS : 0;
            default -> value -> value.isObject() ? value.size() : 0;
        };
    }

    private record Counted(KeywordValidator validator, ToLongFunction<JsonNode> work)
            implements KeywordValidator {
        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            Validation.spend(context, work.applyAsLong(node));
            validator.validate(context, node, root, place);
        }

        @Override
        public String getKeyword() {
            return validator.getKeyword();
        }

        @Override
        public SchemaLocation getSchemaLocation() {
            return validator.getSchemaLocation();
        }

        @Override
        public void preloadSchema() throws SchemaException {
            validator.preloadSchema();
        }
    }
}
