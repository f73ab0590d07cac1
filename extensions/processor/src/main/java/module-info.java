/** The annotation processor: annotated methods become declarations of features. */
module dev.fairlead.processor {
    requires java.compiler;
    requires dev.fairlead.server;
    requires com.palantir.javapoet;
    requires static org.jspecify;

    provides javax.annotation.processing.Processor with
            dev.fairlead.processor.FeatureProcessor;
}
