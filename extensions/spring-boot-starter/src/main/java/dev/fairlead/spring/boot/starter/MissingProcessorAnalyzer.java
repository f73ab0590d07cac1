package dev.fairlead.spring.boot.starter;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints the lines to add to the build when the annotation processor did not run. */
final class MissingProcessorAnalyzer extends AbstractFailureAnalyzer<MissingProcessorException> {
    static final String ACTION =
            """
            Add the processor to the build, then compile all classes again. Maven, in the POM:

                <plugin>
                    <groupId>org.apache.maven.plugins</groupId>
                    <artifactId>maven-compiler-plugin</artifactId>
                    <configuration>
                        <annotationProcessorPaths>
                            <path>
                                <groupId>dev.fairlead</groupId>
                                <artifactId>fairlead-processor</artifactId>
                                <version>${fairlead.version}</version>
                            </path>
                        </annotationProcessorPaths>
                    </configuration>
                </plugin>

            Gradle: annotationProcessor("dev.fairlead:fairlead-processor:$fairleadVersion")
            """;

    @Override
    protected FailureAnalysis analyze(Throwable failure, MissingProcessorException cause) {
        return new FailureAnalysis(cause.getMessage(), ACTION, cause);
    }
}
