package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.annotation.McpTool;

import java.time.Duration;
import java.util.regex.Pattern;

import javax.lang.model.element.ExecutableElement;

/** Reads methods with {@link McpTool}. */
final class ToolReader {
    private static final TypeName NULLABLE_VOID = Compilation.nullable(ClassName.get(Void.class));
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private final Methods methods;
    private final HandlerReader handlers;

    ToolReader(Methods methods, HandlerReader handlers) {
        this.methods = methods;
        this.handlers = handlers;
    }

    Feature read(ExecutableElement method, McpTool tool) throws Problem {
        var common = new CommonWords(methods, method, McpTool.class);
        String name = common.name(tool.name());
        if (!NAME.matcher(name).matches()) {
            throw common.problem(
                    "name",
                    "a tool name must be 1 to 128 characters from A-Z a-z 0-9 _ - . but was \""
                            + name
                            + "\"; give it by name = …");
        }
        String subject = "the tool " + name;
        HandlerMethod handler = handlers.read(method, "Arguments", false);
        var feature =
                new Feature(
                        subject,
                        handler,
                        CodeBlock.of(
                                "tool(\n$>$>$S,\n$S,\n$L,\n$L)$<$<",
                                name,
                                common.requiredDescription(tool.description(), subject),
                                handlers.input(handler),
                                output(method)));
        common.title(feature, tool.title());
        hints(feature, tool, common);
        timeout(feature, tool.timeout(), common);
        task(feature, tool, common);
        if (!tool.taskWhen().isEmpty()) {
            new TaskWhenReader(methods, common).read(feature, tool);
        }
        common.icons(feature, tool.icons());
        common.visibleTo(feature, tool.visibleTo());
        common.requireScopes(feature, tool.requireScopes());
        common.meta(feature, tool.meta());
        return feature;
    }

    private CodeBlock output(ExecutableElement method) throws Problem {
        return HandlerReader.isVoid(method)
                ? CodeBlock.of("new $T<$T>() {}", TypeRef.class, NULLABLE_VOID)
                : handlers.returned(method);
    }

    private static void hints(Feature feature, McpTool tool, CommonWords common) throws Problem {
        if (tool.destructive() && tool.additive()) {
            throw common.problem(
                    "additive", "a tool is either destructive or additive, which never destroys");
        }
        hint(feature, tool.readOnly(), "readOnly()");
        hint(feature, tool.destructive(), "destructive()");
        hint(feature, tool.additive(), "additive()");
        hint(feature, tool.idempotent(), "idempotent()");
        hint(feature, tool.closedWorld(), "closedWorld()");
        hint(feature, tool.blocking(), "blocking()");
        hint(feature, tool.ignoreUnknownArguments(), "ignoreUnknownArguments()");
        hint(feature, tool.acceptTextArguments(), "acceptTextArguments()");
        hint(feature, tool.holdsWhileAsking(), "holdsWhileAsking()");
        common.ownThread(feature, tool.ownThread());
    }

    private static void hint(Feature feature, boolean given, String word) {
        if (given) {
            feature.word(word);
        }
    }

    private static void task(Feature feature, McpTool tool, CommonWords common) throws Problem {
        if (tool.task() != TaskSupport.FORBIDDEN) {
            feature.word("task($T.$L)", TaskSupport.class, tool.task().name());
        } else if (tool.taskLater()
                || tool.rerunAfterCrash()
                || !tool.immediateResponse().isEmpty()) {
            throw common.problem(
                    tool.taskLater()
                            ? "taskLater"
                            : tool.rerunAfterCrash() ? "rerunAfterCrash" : "immediateResponse",
                    "an option of tasks needs task = OPTIONAL or REQUIRED");
        }
        if (tool.taskLater() && tool.holdsWhileAsking()) {
            throw common.problem(
                    "taskLater",
                    "taskLater starts the method again, which holdsWhileAsking forbids: remove"
                            + " one of them");
        }
        hint(feature, tool.taskLater(), "taskLater()");
        hint(feature, tool.rerunAfterCrash(), "rerunAfterCrash()");
        if (!tool.immediateResponse().isEmpty()) {
            feature.word("immediateResponse($S)", tool.immediateResponse());
        }
    }

    private static void timeout(Feature feature, String text, CommonWords common) throws Problem {
        if (text.isEmpty()) {
            return;
        }
        if (!common.duration("timeout", text, "a timeout", "PT30S").isPositive()) {
            throw common.problem("timeout", "a timeout must be positive but was " + text);
        }
        feature.word("timeout($T.parse($S))", Duration.class, text);
    }
}
