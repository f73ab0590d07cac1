package dev.fairlead.json;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.DependenciesValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The keyword {@code dependencies}. That of the library writes all names of the keyword for each
 * missing member, which needs gigabytes for some thousands.
 */
final class Dependencies implements Keyword {
    @Override
    public String getValue() {
        return "dependencies";
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation location, JsonNode value, Schema schema, SchemaContext context) {
        return new Written(location, value, schema, context);
    }

    /** Checks the lists of names itself, and has their text from the beginning. */
    private static final class Written extends DependenciesValidator {
        private final Map<String, List<String>> names = new LinkedHashMap<>();
        private final String text;

        Written(SchemaLocation location, JsonNode value, Schema schema, SchemaContext context) {
            super(location, schemas(value), schema, context);
            for (Map.Entry<String, JsonNode> member : value.properties()) {
                if (member.getValue().isArray()) {
                    names.put(
                            member.getKey(),
                            member.getValue().valueStream().map(JsonNode::asString).toList());
                }
            }
            text = Reading.cut(names.toString());
        }

        private static JsonNode schemas(JsonNode value) {
            if (!(value.deepCopy() instanceof ObjectNode schemas)) {
                return value; // at a place where it is no keyword
            }
            value.properties().stream()
                    .filter(member -> member.getValue().isArray())
                    .forEach(member -> schemas.remove(member.getKey()));
            return schemas;
        }

        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            Validation.spend(context, node.size());
            for (String present : node.propertyNames()) {
                List<String> all = names.getOrDefault(present, List.of());
                Validation.spend(context, all.size());
                for (String needed : all) {
                    if (!node.has(needed)) {
                        context.addError(
                                error().instanceNode(node)
                                        .property(needed)
                                        .instanceLocation(place)
                                        .evaluationPath(context.getEvaluationPath())
                                        .locale(context.getExecutionConfig().getLocale())
                                        .arguments(text)
                                        .build());
                    }
                }
            }
            super.validate(context, node, root, place);
        }
    }
}
