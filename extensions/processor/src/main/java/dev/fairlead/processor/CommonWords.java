package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.server.annotation.McpIcon;

import java.lang.annotation.Annotation;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import javax.lang.model.element.ExecutableElement;
import javax.lang.model.type.TypeKind;

/**
 * The options that every kind of feature has.
 *
 * @param annotation the kind, to point at
 */
record CommonWords(
        Methods methods, ExecutableElement method, Class<? extends Annotation> annotation) {
    void title(Feature feature, String title) {
        if (!title.isEmpty()) {
            feature.word("title($S)", title);
        }
    }

    void icons(Feature feature, McpIcon... icons) throws Problem {
        for (McpIcon icon : icons) {
            if (!icon.src().startsWith("https://") && !icon.src().startsWith("data:")) {
                throw problem(
                        "icons",
                        "the source of an icon must be an https or data URI but was " + icon.src());
            }
            if (!List.of("", Icon.LIGHT, Icon.DARK).contains(icon.theme())) {
                throw problem(
                        "icons", "the theme of an icon is light or dark but was " + icon.theme());
            }
            feature.word("icon($L)", icon(icon));
        }
    }

    private static CodeBlock icon(McpIcon icon) {
        CodeBlock.Builder code = CodeBlock.builder().add("new $T($S)", Icon.class, icon.src());
        if (!icon.mimeType().isEmpty()) {
            code.add(".withMimeType($S)", icon.mimeType());
        }
        if (icon.sizes().length > 0) {
            code.add(".withSizes($T.of($L))", List.class, strings(icon.sizes()));
        }
        if (!icon.theme().isEmpty()) {
            code.add(".withTheme($S)", icon.theme());
        }
        return code.build();
    }

    private static CodeBlock strings(String... values) {
        return Arrays.stream(values)
                .map(value -> CodeBlock.of("$S", value))
                .collect(CodeBlock.joining(", "));
    }

    void visibleTo(Feature feature, String... names) throws Problem {
        for (String name : names) {
            ExecutableElement test = methods.named(name, why -> problem("visibleTo", why));
            boolean fits =
                    test.getReturnType().getKind() == TypeKind.BOOLEAN
                            && test.getParameters().size() == 1
                            && Methods.is(test.getParameters().get(0).asType(), Caller.class)
                            && !methods.throwsChecked(test);
            if (!fits) {
                throw Problem.at(
                        test,
                        "a method that says who may see a feature takes a Caller, gives a boolean"
                                + " and throws no checked exception");
            }
            feature.word("visibleTo($L::$L)", methods.receiver(test), name);
        }
    }

    void ownThread(Feature feature, boolean given) {
        if (given) {
            feature.word("ownThread()");
        }
    }

    /**
     * Reads a time in the form of {@link Duration#parse}.
     *
     * @param member of the annotation
     * @param subject the time in messages, with its article
     * @param example of such a time
     */
    Duration duration(String member, String text, String subject, String example) throws Problem {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw problem(
                    member, subject + " is a duration such as " + example + " but was " + text);
        }
    }

    void requireScopes(Feature feature, String... scopes) throws Problem {
        for (String scope : scopes) {
            try {
                feature.word("requireScopes($S)", InsufficientScopeException.requireScope(scope));
            } catch (IllegalArgumentException e) {
                throw problem("requireScopes", String.valueOf(e.getMessage()));
            }
        }
    }

    void meta(Feature feature, String json) throws Problem {
        if (json.isEmpty()) {
            return;
        }
        try {
            if (JsonValue.parse(json) instanceof JsonObject) {
                feature.word("meta(($T) $T.parse($S))", JsonObject.class, JsonValue.class, json);
                return;
            }
        } catch (JsonException e) {
            throw problem("meta", "meta must be a JSON object: " + e.getMessage());
        }
        throw problem("meta", "meta must be a JSON object but was " + json);
    }

    /**
     * The description that the annotation gives, or that of the Javadoc; empty if there is none.
     */
    String description(String described) {
        if (!described.isEmpty()) {
            return described;
        }
        String text = methods.compilation().javadoc(method, method).text();
        return text == null ? "" : text;
    }

    /** Returns the {@link #description}, for kinds that need one. */
    String requiredDescription(String described, String subject) throws Problem {
        String text = description(described);
        if (text.isEmpty()) {
            throw Problem.at(
                    method,
                    annotation,
                    subject
                            + " has no description, by which it is chosen: write a Javadoc comment"
                            + " or description = …");
        }
        return text;
    }

    /** The name that the annotation gives, or that of the method. */
    String name(String given) {
        return given.isEmpty() ? method.getSimpleName().toString() : given;
    }

    Problem problem(String member, String message) {
        return Problem.at(method, annotation, member, message);
    }

    /** The components as a message lists them. */
    static String names(HandlerMethod handler) {
        return handler.components().stream()
                .map(Component::name)
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
