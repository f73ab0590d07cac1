package dev.fairlead.json;

import com.networknt.schema.Error;
import com.networknt.schema.InvalidSchemaRefException;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import com.networknt.schema.resource.SchemaLoader;

import dev.fairlead.json.slf4j.Slf4jNotice;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A compiled schema. This class and {@link SchemaDialect} are the only ones that see the validator
 * below.
 */
final class SchemaValidator {
    private static final long STEPS = 100_000;
    private static final long STEPS_PER_VALUE = 200;
    private static final int PROBLEMS_IN_MESSAGE = 3;
    private static final String TOO_COSTLY = "takes too much effort to check against its schema";

    static {
        Slf4jNotice.suppress();
    }

    private static final SchemaRegistryConfig CONFIG =
            SchemaRegistryConfig.builder()
                    .formatAssertionsEnabled(false)
                    .losslessNarrowing(true)
                    .locale(Locale.ENGLISH)
                    .regularExpressionFactory(SchemaValidator::expression)
                    .build();

    /** The remaining budget of matching in the validation of a thread. */
    private static final ThreadLocal<MatchingBudget> MATCHING = new ThreadLocal<>();

    /**
     * Meta-schemas come with the library; nothing else is ever loaded, from the network or the
     * class path.
     */
    private static final SchemaLoader LOADER =
            SchemaLoader.builder()
                    .allow(iri -> iri.toString().matches("https?://json-schema\\.org/.*"))
                    .fetchRemoteResources(false)
                    .build();

    private final Schema schema;

    private SchemaValidator(Schema schema) {
        this.schema = schema;
    }

    static SchemaRegistry registry(Dialect dialect) {
        return SchemaRegistry.withDefaultDialect(
                dialect, builder -> builder.schemaRegistryConfig(CONFIG).schemaLoader(LOADER));
    }

    private static RegularExpression expression(String regex) {
        BoundedPattern pattern = pattern(regex);
        return text -> {
            MatchingBudget budget = MATCHING.get();
            try {
                return pattern.finds(text, budget == null ? new MatchingBudget() : budget);
            } catch (BoundedPattern.TooCostly e) {
                throw new CostlyPattern();
            }
        };
    }

    /** Matching was given up. The validator logs each exception of another kind. */
    private static final class CostlyPattern extends SchemaException {
        private static final long serialVersionUID = 1;

        CostlyPattern() {
            super("matching costs too much");
        }
    }

    /** The expression of ECMA 262 in the syntax of the JDK. */
    static BoundedPattern pattern(String regex) {
        return BoundedPattern.of(
                regex,
                RegularExpressions.replaceLongformCharacterProperties(
                        RegularExpressions.replaceDollarAnchors(regex)));
    }

    /**
     * @throws JsonSchemaException if the schema cannot be used
     */
    static SchemaValidator compile(JsonObject json) {
        SchemaDialect dialect = SchemaDialect.of(json);
        SchemaLimits.check(json);
        JsonNode tree = SchemaTree.of(json);
        List<Error> problems = dialect.problems(tree);
        if (!problems.isEmpty()) {
            throw new JsonSchemaException("the schema is not valid: " + summary(problems));
        }
        try {
            SchemaReferences references = new SchemaReferences(json);
            references.reachable().forEach(SchemaLimits::checkPatterns);
            if (SchemaCycles.isIn(json, references)) {
                throw new JsonSchemaException("the schema refers to itself without an end");
            }
            Schema schema = dialect.registry().getSchema(tree);
            schema.initializeValidators(); // finds references to nothing, or to other documents
            return new SchemaValidator(schema);
        } catch (SchemaException e) {
            throw unusable(e);
        } catch (StackOverflowError e) {
            throw new JsonSchemaException(
                    "the schema is nested too deeply, or has too long a chain of references");
        }
    }

    private static JsonSchemaException unusable(SchemaException e) {
        if (e.getCause() instanceof IllegalArgumentException cause) {
            return new JsonSchemaException("the schema cannot be used: " + cause.getMessage(), e);
        }
        String problem =
                e instanceof InvalidSchemaRefException
                        ? "the schema refers to a part that it does not have: "
                        : "the schema cannot be used, other documents are never fetched: ";
        return new JsonSchemaException(problem + e.getMessage(), e);
    }

    private static String summary(List<Error> problems) {
        return problems.stream()
                .map(problem -> violation(problem).toString())
                .distinct()
                .limit(PROBLEMS_IN_MESSAGE)
                .collect(Collectors.joining("; "));
    }

    /**
     * @param unchecked takes the limit that ended the check, in the words of a violation
     * @throws JsonSchemaException if the schema cannot be used: the target of a dynamic reference
     *     is only looked for where a value is checked
     */
    List<JsonViolation> validate(JsonValue value, Function<String, List<JsonViolation>> unchecked) {
        JsonNode tree;
        Validation validation;
        try {
            tree = SchemaTree.of(value);
            validation = new Validation(STEPS + STEPS_PER_VALUE * SchemaTree.size(tree));
        } catch (SchemaTree.HugeNumber e) {
            return unchecked.apply("must not have a number with an exponent beyond 1000");
        } catch (StackOverflowError e) {
            return unchecked.apply(TOO_COSTLY);
        }
        MATCHING.set(new MatchingBudget());
        try {
            schema.validate(validation, tree);
            return violations(validation.found());
        } catch (Validation.EnoughErrors e) {
            return violations(validation.found());
        } catch (ValidationLimitExceededException
                | BoundedPattern.TooCostly
                | CostlyPattern
                | StackOverflowError e) {
            return unchecked.apply(TOO_COSTLY);
        } catch (SchemaException e) {
            throw unusable(e);
        } finally {
            MATCHING.remove();
        }
    }

    private static List<JsonViolation> violations(List<Error> errors) {
        if (errors.isEmpty()) {
            return List.of();
        }
        List<JsonViolation> violations = new ArrayList<>();
        for (Error error : errors.subList(0, Math.min(errors.size(), Reading.MAX_VIOLATIONS))) {
            violations.add(violation(error));
        }
        return List.copyOf(violations);
    }

    /** Converts an error of the validator to the words of {@link JsonCodec}. */
    private static JsonViolation violation(Error error) {
        String path = path(error.getInstanceLocation());
        Object[] arguments = error.getArguments();
        return switch (error.getKeyword()) {
            case "required" -> Reading.violation(member(path, error.getProperty()), "is missing");
            case "additionalProperties", "unevaluatedProperties" ->
                    error.getProperty() == null
                            ? Reading.violation(path, error.getMessage())
                            : Reading.violation(member(path, error.getProperty()), "is unknown");
            case "type" ->
                    Reading.violation(
                            path,
                            "must be " + phrase(arguments[1]) + " but was " + phrase(arguments[0]));
            case "enum" -> Reading.violation(path, "must be one of " + arguments[0]);
            default -> Reading.violation(path, error.getMessage());
        };
    }

    /**
     * The names of types as they stand in a sentence: {@code [integer, null]} is "an integer or
     * null".
     */
    private static String phrase(Object types) {
        return Arrays.stream(types.toString().replaceAll("[\\[\\]]", "").split(", "))
                .map(
                        type ->
                                switch (type) {
                                    case "integer", "object", "array" -> "an " + type;
                                    case "null" -> type;
                                    default -> "a " + type;
                                })
                .collect(Collectors.joining(" or "));
    }

    private static String path(NodePath location) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < location.getNameCount(); i++) {
            Object element = location.getElement(i);
            if (element instanceof Integer index) {
                path.append('[').append(index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(Reading.segment(element.toString()));
            }
        }
        return path.toString();
    }

    private static String member(String path, String name) {
        return path.isEmpty() ? Reading.segment(name) : path + "." + Reading.segment(name);
    }
}
