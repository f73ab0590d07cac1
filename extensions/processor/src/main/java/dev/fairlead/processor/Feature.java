package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import java.util.ArrayList;
import java.util.List;

/** A feature that a method declares: the chain from its name to its handler. */
final class Feature {
    private final String subject;
    private final HandlerMethod handler;
    private final CodeBlock beginning;
    private final List<CodeBlock> words = new ArrayList<>();

    /**
     * @param subject such as {@code the tool find}; no two features have the same
     * @param beginning the code up to where options begin, such as {@code features.tool(…)}
     */
    Feature(String subject, HandlerMethod handler, CodeBlock beginning) {
        this.subject = subject;
        this.handler = handler;
        this.beginning = beginning;
    }

    String subject() {
        return subject;
    }

    HandlerMethod handler() {
        return handler;
    }

    /** Adds an option. */
    void word(String format, Object... values) {
        words.add(CodeBlock.of(format, values));
    }

    CodeBlock beginning() {
        return beginning;
    }

    List<CodeBlock> words() {
        return List.copyOf(words);
    }
}
