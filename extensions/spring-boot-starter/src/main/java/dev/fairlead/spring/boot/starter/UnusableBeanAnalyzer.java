package dev.fairlead.spring.boot.starter;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints the change to make where a bean cannot be used. */
final class UnusableBeanAnalyzer extends AbstractFailureAnalyzer<UnusableBeanException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, UnusableBeanException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
