package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// persistentSources checks that a volume has one source, and that source. Where a pod's volume has the same
// kind of source the rules are shared.
func persistentSources(e *check.Errors, at *check.Path, pv *corev1.PersistentVolume) {
	s := &pv.Spec.PersistentVolumeSource
	v := podValidator{Errors: *e}
	found := false
	one := func(set bool, name string) bool {
		if set && found {
			v.Forbidden(at, name, "may not specify more than 1 volume type")
			return false
		}
		found = found || set
		return set
	}
	if one(s.HostPath != nil, "hostPath") {
		v.hostPath(at, s.HostPath)
	}
	v.persistentCloudSources(at, s, one)
	v.persistentNetworkSources(at, pv, one)
	if one(s.ScaleIO != nil, "scaleIO") {
		v.scaleIO(at, &corev1.ScaleIOVolumeSource{Gateway: s.ScaleIO.Gateway, System: s.ScaleIO.System, VolumeName: s.ScaleIO.VolumeName})
	}
	if one(s.Local != nil, "local") {
		if s.Local.Path == "" {
			v.Required(at, "local.path", "")
		} else {
			v.noBacksteps(at, "local.path", s.Local.Path)
		}
		if pv.Spec.NodeAffinity == nil {
			v.Required(at, "nodeAffinity", "Local volume requires node affinity")
		}
	}
	if one(s.StorageOS != nil, "storageos") {
		v.storageOS(at, &corev1.StorageOSVolumeSource{VolumeName: s.StorageOS.VolumeName, VolumeNamespace: s.StorageOS.VolumeNamespace})
		if r := s.StorageOS.SecretRef; r != nil {
			v.needs(at, "storageos.secretRef.name", r.Name)
			v.needs(at, "storageos.secretRef.namespace", r.Namespace)
		}
	}
	if one(s.CSI != nil, "csi") {
		v.persistentCSI(at, s.CSI)
	}
	if !found {
		v.Required(at, "", "must specify a volume type")
	}
	*e = v.Errors
}

func (v *podValidator) persistentCloudSources(at *check.Path, s *corev1.PersistentVolumeSource, one func(bool, string) bool) {
	if one(s.GCEPersistentDisk != nil, "gcePersistentDisk") {
		v.needs(at, "persistentDisk.pdName", s.GCEPersistentDisk.PDName)
		v.partition(at, "persistentDisk.partition", s.GCEPersistentDisk.Partition)
	}
	if one(s.AWSElasticBlockStore != nil, "awsElasticBlockStore") {
		v.needs(at, "awsElasticBlockStore.volumeID", s.AWSElasticBlockStore.VolumeID)
		v.partition(at, "awsElasticBlockStore.partition", s.AWSElasticBlockStore.Partition)
	}
	if one(s.Glusterfs != nil, "glusterfs") {
		v.needs(at, "glusterfs.endpoints", s.Glusterfs.EndpointsName)
		v.needs(at, "glusterfs.path", s.Glusterfs.Path)
		if ns := s.Glusterfs.EndpointsNamespace; ns != nil && *ns == "" {
			v.Invalid(at, "glusterfs.endpointsNamespace", *ns, "if the endpointnamespace is set, it must be a valid namespace name")
		} else if ns != nil {
			v.DNSLabel(at, "glusterfs.endpointsNamespace", *ns)
		}
	}
	if one(s.Flocker != nil, "flocker") {
		v.flocker(at, s.Flocker)
	}
	if one(s.NFS != nil, "nfs") {
		v.nfs(at, s.NFS)
	}
	if one(s.RBD != nil, "rbd") {
		if len(s.RBD.CephMonitors) == 0 {
			v.Required(at, "rbd.monitors", "")
		}
		v.needs(at, "rbd.image", s.RBD.RBDImage)
	}
	if one(s.Quobyte != nil, "quobyte") {
		v.quobyte(at, s.Quobyte)
	}
	if one(s.CephFS != nil, "cephFS") && len(s.CephFS.Monitors) == 0 {
		v.Required(at, "cephfs.monitors", "")
	}
}

func (v *podValidator) persistentNetworkSources(at *check.Path, pv *corev1.PersistentVolume, one func(bool, string) bool) {
	s := &pv.Spec.PersistentVolumeSource
	if one(s.ISCSI != nil, "iscsi") {
		v.persistentISCSI(at, pv.Name, s.ISCSI)
	}
	if one(s.Cinder != nil, "cinder") {
		v.needs(at, "cinder.volumeID", s.Cinder.VolumeID)
		if r := s.Cinder.SecretRef; r != nil {
			v.needs(at, "cinder.secretRef.name", r.Name)
			v.needs(at, "cinder.secretRef.namespace", r.Namespace)
		}
	}
	if one(s.FC != nil, "fc") {
		v.fibreChannel(at, s.FC)
	}
	if one(s.FlexVolume != nil, "flexVolume") {
		v.flexVolume(at, &corev1.FlexVolumeSource{Driver: s.FlexVolume.Driver, Options: s.FlexVolume.Options})
	}
	if one(s.AzureFile != nil, "azureFile") {
		v.needs(at, "azureFile.secretName", s.AzureFile.SecretName)
		v.needs(at, "azureFile.shareName", s.AzureFile.ShareName)
		if ns := s.AzureFile.SecretNamespace; ns != nil {
			v.needs(at, "azureFile.secretNamespace", *ns)
		}
	}
	if one(s.VsphereVolume != nil, "vsphereVolume") {
		v.needs(at, "vsphereVolume.volumePath", s.VsphereVolume.VolumePath)
	}
	if one(s.PhotonPersistentDisk != nil, "photonPersistentDisk") {
		v.needs(at, "photonPersistentDisk.pdID", s.PhotonPersistentDisk.PdID)
	}
	if one(s.PortworxVolume != nil, "portworxVolume") {
		v.needs(at, "portworxVolume.volumeID", s.PortworxVolume.VolumeID)
	}
	if one(s.AzureDisk != nil, "azureDisk") {
		v.azureDisk(at, s.AzureDisk)
	}
}

func (v *podValidator) persistentISCSI(at *check.Path, name string, s *corev1.ISCSIPersistentVolumeSource) {
	v.needs(at, "iscsi.targetPortal", s.TargetPortal)
	if s.InitiatorName != nil && len(name+":"+s.TargetPortal) > 64 {
		v.Invalid(at, "iscsi.targetportal", s.TargetPortal, "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.")
	}
	if s.IQN == "" {
		v.Required(at, "iscsi.iqn", "")
	} else if !isISCSIName(s.IQN) {
		v.Invalid(at, "iscsi.iqn", s.IQN, "must be valid format")
	}
	if s.Lun < 0 || s.Lun > 255 {
		v.Invalid(at, "iscsi.lun", s.Lun, validation.InclusiveRangeError(0, 255))
	}
	if (s.DiscoveryCHAPAuth || s.SessionCHAPAuth) && s.SecretRef == nil {
		v.Required(at, "iscsi.secretRef", "")
	}
	if s.SecretRef != nil {
		v.needs(at, "iscsi.secretRef.name", s.SecretRef.Name)
	}
	if s.InitiatorName != nil && !isISCSIName(*s.InitiatorName) {
		v.Invalid(at, "iscsi.initiatorname", *s.InitiatorName, "must be valid format")
	}
}

func (v *podValidator) persistentCSI(at *check.Path, s *corev1.CSIPersistentVolumeSource) {
	v.csiDriver(at, s.Driver)
	v.needs(at, "csi.volumeHandle", s.VolumeHandle)
	v.secretReference(at, "csi.controllerPublishSecretRef", s.ControllerPublishSecretRef)
	v.secretReference(at, "csi.controllerExpandSecretRef", s.ControllerExpandSecretRef)
	v.secretReference(at, "csi.nodePublishSecretRef", s.NodePublishSecretRef)
	v.secretReference(at, "csi.nodeExpandSecretRef", s.NodeExpandSecretRef)
}

func (v *podValidator) csiDriver(at *check.Path, driver string) {
	if driver == "" {
		v.Required(at, "csi.driver", "")
		return
	}
	if len(driver) > 63 {
		v.TooLong(at, "csi.driver", 63)
	}
	v.InvalidAll(at, "csi.driver", driver, validation.IsDNS1123Subdomain(strings.ToLower(driver)))
}

func (v *podValidator) secretReference(at *check.Path, child string, r *corev1.SecretReference) {
	if r == nil {
		return
	}
	if r.Name == "" {
		v.Required(at, child+".name", "")
	} else {
		v.DNSSubdomain(at, child+".name", r.Name)
	}
	if r.Namespace == "" {
		v.Required(at, child+".namespace", "")
	} else {
		v.DNSLabel(at, child+".namespace", r.Namespace)
	}
}
