package dev.fairlead.spring.boot.starter;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints which property to correct, instead of a stack trace. */
final class InvalidPropertyAnalyzer extends AbstractFailureAnalyzer<InvalidPropertyException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, InvalidPropertyException cause) {
        return new FailureAnalysis(
                cause.getMessage(), "Correct this property in the configuration.", cause);
    }
}
